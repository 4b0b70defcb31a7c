"""Shared by all tests: hypothesis without a time limit, because the first call of a kernel compiles it."""

from hypothesis import settings

settings.register_profile("cubelab", deadline=None)
settings.load_profile("cubelab")
