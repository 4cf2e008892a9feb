"""Streamlit with a lab that gives up sooner: `python -m tests.e2e.hasty run dashboard.py`.

Without a reader a job pauses after a second and is dropped after six, a twentieth of the real
times, so that tests need not wait.
"""

from streamlit.web.cli import main

from core import jobs

PAUSE_AFTER, DROP_AFTER = 1.0, 6.0

if __name__ == "__main__":
    jobs.PAUSE_AFTER, jobs.DROP_AFTER = PAUSE_AFTER, DROP_AFTER
    main()
