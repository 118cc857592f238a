"""Read by a student's server on Kubernetes when it starts: brings the notebooks up to date, as the hub's desk does."""

import sys
from pathlib import Path

sys.path.insert(0, "/srv/course")
import desk

import course

desk.lay_out(Path.home(), {"full": False})
c = get_config()  # noqa: F821  Jupyter gives it to this file
c.ServerApp.kernel_websocket_connection_class = course.PROMPT["kernel_websocket_connection_class"]
c.LabApp.extra_labextensions_path = [str(course.LAB_EXTENSIONS)]
c.JupyterNotebookApp.extra_labextensions_path = [str(course.LAB_EXTENSIONS)]
