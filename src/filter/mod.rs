//! The filter language: one language for the window, the command line and, later, intercept rules.
