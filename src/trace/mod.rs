//! Entries to exchanges and operations: revision resolution, pairing, linking.
