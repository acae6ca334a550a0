"""The browser SDK as it is built, in a real browser, against real and hostile collectors."""
