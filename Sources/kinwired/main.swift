// kinwired
