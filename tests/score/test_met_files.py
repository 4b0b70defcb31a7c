import numpy as np
import pytest

from cubelab.errors import CubelabError, TableError
from cubelab.score import MatchEquityTable
from cubelab.score.met_files import parse_csv, read_table, to_csv, to_xml, write_table

MET = """[Current]
Name=Three points
Description=A small table
Copyright=\u00a9 nobody

[PostCrawford]
Size=3
Data=0.50 0.485 0.30

[PreCrawford]
Size=3
 1=0.50 0.70 0.75
 2=0.30 0.50 0.60
 3=0.25 0.40 0.50
"""

XML = """<?xml version="1.0"?>
<!DOCTYPE met PUBLIC "-//GNU Backgammon//DTD Match Equity Tables//EN" "met.dtd">
<met><info><name>Three</name><description>small</description><length>3</length></info>
<pre-crawford-table type="explicit">
<row><me>0.50</me><me>0.70</me><me>0.75</me></row>
<row><me>0.30</me><me>0.50</me><me>0.60</me></row>
<row><me>0.25</me><me>0.40</me><me>0.50</me></row></pre-crawford-table>
<post-crawford-table type="explicit" player="both"><row><me>0.50</me><me>0.485</me><me>0.30</me></row>
</post-crawford-table></met>
"""

BOMB = """<?xml version="1.0"?>
<!DOCTYPE met [<!ENTITY a "0.5"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>
<met><info><name>&c;</name></info></met>
"""


def written(tmp_path, text, name, encoding="utf-8"):
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize("name", MatchEquityTable.names())
@pytest.mark.parametrize("ending", [".csv", ".xml"])
def test_written_tables_are_read_back(tmp_path, name, ending):
    table = MatchEquityTable.load(name)
    path = tmp_path / f"copy{ending}"
    write_table(table, path)
    back = MatchEquityTable.load(path)
    np.testing.assert_allclose(back.values, table.values, atol=1e-8)
    np.testing.assert_allclose(back.post, table.post, atol=1e-8)
    np.testing.assert_allclose(back.post_opponent, table.post_opponent, atol=1e-8)
    if ending == ".csv":
        assert back == table
        assert back.name == name


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8", "utf-8-sig"])
def test_met_text(tmp_path, encoding):
    table = read_table(written(tmp_path, MET, "three.met", encoding))
    assert table.title == "Three points"
    assert "© nobody" in table.source
    assert table.mwc(away=(2, 3)) == 0.6
    assert table.mwc(away=(2, 1), post_crawford=True) == 0.485


def test_gnubg_xml(tmp_path):
    table = read_table(written(tmp_path, XML, "three.xml"))
    assert (table.title, table.size, table.mwc(away=(3, 2))) == ("Three", 3, 0.4)
    assert not table.skewed


def test_xml_of_two_players(tmp_path):
    other = '<post-crawford-table type="explicit" player="1"><row><me>0.50</me><me>0.45</me><me>0.25</me></row>'
    text = XML.replace('player="both"', 'player="0"').replace("</met>", other + "</post-crawford-table></met>")
    table = read_table(written(tmp_path, text, "three.xml"))
    assert table.skewed
    assert table.mwc(away=(1, 2), post_crawford=True) == pytest.approx(0.55)


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        (BOMB, "bomb.xml", "declares entities"),
        (XML.replace("</met>", ""), "cut.xml", "not well-formed"),
        (XML.replace("met>", "table>"), "other.xml", "holds <table>"),
        (XML.replace("<me>0.60</me>", "<me>0.6o</me>"), "word.xml", "2-away 3-away: '0.6o' is not a number"),
        (XML.replace("<me>0.60</me>", ""), "short.xml", "row 2-away has 2 values, needs 3"),
        (XML.replace("<me>0.60</me>", "<me>0.70</me>"), "skew.xml", "2-away 3-away is 0.7 and 3-away 2-away 0.4"),
        (XML.replace('table type="explicit">', 'table type="zadeh">'), "zadeh.xml", "parameters of type 'zadeh'"),
        (XML.replace("<length>3", "<length>25"), "long.xml", "length 25 is announced but 3 rows found"),
        (MET.replace(" 2=0.30", " 4=0.30"), "rows.met", r"rows \[1, 3, 4\] are not 1 to 3"),
        (MET.replace("0.60", "1.60"), "big.met", "2-away 3-away is 1.6, not a chance"),
        (MET.replace("0.485 0.30", "0.485"), "post.met", "3×3 values with 2 post-Crawford entries"),
        (MET.replace("Data=", "Daten="), "data.met", "no .PostCrawford. section with Data="),
        (MET.replace("Size=3\n 1", "Size=4\n 1"), "size.met", "Size=4 in .PreCrawford. but 3 rows"),
        ("away,1,2\n1,0.5,0.7\n2,0.3,0.5\n", "nopost.csv", "no post-Crawford row"),
        ("away,1,2\n1,0.5,0.7\n3,0.3,0.5\npost,0.5,0.4", "gap.csv", "line 3: row 3-away where 2-away is due"),
        ("away,1,2\n1,0.5,nan\n2,0.3,0.5\npost,0.5,0.4", "nan.csv", "1-away 2-away is nan"),
        ("", "empty.csv", "has no rows"),
        ("hello world", "text.csv", "line 1: 'hello world' is not a number"),
        ("\0\1\2", "binary.csv", "no text file"),
    ],
)
def test_bad_files_are_refused_in_a_sentence(tmp_path, text, name, message):
    with pytest.raises(TableError, match=message) as caught:
        read_table(written(tmp_path, text, name))
    assert isinstance(caught.value, CubelabError)
    assert "\n" not in str(caught.value)


def test_a_folder_is_no_table(tmp_path):
    with pytest.raises(TableError):
        read_table(tmp_path)


def test_csv_keeps_name_tolerance_and_skew():
    ortega = MatchEquityTable.load("ortega")
    back = parse_csv(to_csv(ortega), "other")
    assert (back.name, back.tolerance, back.source) == ("ortega", ortega.tolerance, ortega.source)
    assert parse_csv(to_csv(MatchEquityTable.load("jac050")), "x").skewed


def test_xml_escapes_names():
    assert "Jacobs &amp; Trice" in to_xml(MatchEquityTable.load("jacobs"))
