//! The program as others call it: arguments in, exit status, output and files out.

mod apart;
mod bad_files;
mod bad_usage;
mod check;
mod demo;
mod generate;
mod kit;
mod lab;
mod maps;
mod planners;
mod run;
mod solve;
mod space;
mod studio;
