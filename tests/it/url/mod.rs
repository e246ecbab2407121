mod complete;
mod find;
