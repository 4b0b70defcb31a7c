"""Configuration of the documentation: ``sphinx-build -c notebooks/site notebooks BUILD_FOLDER``.

The pages are the notebooks (executed during the build, a failure ends it), the guides beside this file, and the
docstrings. Nothing is fetched from the network, while building or while reading.
"""

import sys
from pathlib import Path

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml

import cubelab

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))  # for the pages, which import `gallery`

project = "cubelab"
author = "the cubelab developers"
version = release = cubelab.__version__
language = "en"
root_doc = "index"
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_click"]
exclude_patterns = ["**/.ipynb_checkpoints", "site/_build", "**/README.md"]
templates_path: list[str] = []

html_theme = "furo"
html_title = f"cubelab {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
smartquotes = False  # or the dashes of options and XGIDs turn into long ones
html_math_renderer = "mathml"

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

# The notebooks are stored without outputs: each build runs them, from a clean kernel, in their own folder.
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_show_tb = True
nb_execution_timeout = 900
nb_merge_streams = True
# That kernels are being compiled is news for who waits for it, not for readers of the pages.
nb_output_stderr = "remove"
# Widgets need a kernel: their pages show what is said in place of one, and load no scripts.
nb_mime_priority_overrides = [("html", "application/vnd.jupyter.widget-view+json", None)]
nb_ipywidgets_js: dict = {}
nb_kernel_rgx_aliases = {".*": "python3"}

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False
# Single backticks in docstrings name things of the package.
default_role = "py:obj"
suppress_warnings = ["ref.python"]  # a short name that two classes have, such as `array`, links to either


def formula(node, *, block: bool) -> str:
    """MathML, which browsers draw themselves."""
    return tex2mathml(node.astext(), as_block=block)


def property_docstring(app, what, name, obj, options, lines):
    """Keep a sentence with a colon whole: napoleon would take what stands before it for a type."""
    if what == "property" and lines:
        lines[0] = lines[0].replace(": ", " – ", 1)


def parameter_dashes(app, doctree, page):
    """A proper dash between a parameter and what is said of it."""
    for text in list(doctree.findall(nodes.Text)):
        if text == " -- ":
            text.parent.replace(text, nodes.Text(" – "))


def setup(app):
    def inline(self, node):
        self.body.append(formula(node, block=False))
        raise nodes.SkipNode

    def block(self, node):
        self.body.append(f'<div class="math">{formula(node, block=True)}</div>')
        raise nodes.SkipNode

    app.connect("autodoc-process-docstring", property_docstring, priority=400)  # before napoleon, at 500
    app.connect("doctree-resolved", parameter_dashes)
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
