mod url_cmd;
