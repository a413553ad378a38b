//! Saved calls: a file that can be committed, with variables, values picked from earlier results, and chains of calls.
//! Pure: text in, text out; `engine` reads and writes the file.
