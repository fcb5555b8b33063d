(vault (name (vault_name) @name)) @definition.module
