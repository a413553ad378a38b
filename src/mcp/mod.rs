//! What messages mean: methods, revisions, capabilities, readings of payloads.
