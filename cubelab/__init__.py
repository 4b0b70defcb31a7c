"""cubelab: cube-decision analysis for backgammon."""
