//! Many tables at once, with a single handle: an interpreter has room for some thousands of these.

use mlua::{Lua, Result, Table};

/// Tables in an order of their own.
#[derive(Clone, Debug)]
pub struct TableList {
    held: Table,
    length: usize,
}

impl TableList {
    /// Returns a list without any.
    pub fn new(lua: &Lua) -> Result<TableList> {
        Ok(TableList { held: lua.create_table()?, length: 0 })
    }

    /// Returns how many tables there are.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Returns whether there is none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Adds a table.
    pub fn push(&mut self, table: &Table) -> Result<()> {
        self.held.raw_set(self.length + 1, table)?;
        self.length += 1;
        Ok(())
    }

    /// Takes out the table that was added last.
    pub fn pop(&mut self) -> Result<Option<Table>> {
        let Some(table) = self.get(self.length.wrapping_sub(1))? else { return Ok(None) };
        self.held.raw_set(self.length, mlua::Nil)?;
        self.length -= 1;
        Ok(Some(table))
    }

    /// Returns the tables in their order.
    pub fn iter(&self) -> impl Iterator<Item = Result<Table>> {
        (0..self.length).map_while(|number| self.get(number).transpose())
    }

    /// Returns a table by its number, from 0; `None` if there are not so many.
    pub fn get(&self, number: usize) -> Result<Option<Table>> {
        match number < self.length {
            true => self.held.raw_get(number + 1),
            false => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_tables_than_there_are_handles_are_held() -> Result<()> {
        let lua = Lua::new();
        let mut list = TableList::new(&lua)?;
        for number in 0..20_000 {
            let table = lua.create_table()?;
            table.raw_set("number", number)?;
            list.push(&table)?;
        }
        let number = |table: Option<Table>| table.map(|table| table.raw_get::<i32>("number"));
        assert_eq!(number(list.get(9_999)?).transpose()?, Some(9_999));
        assert_eq!(number(list.pop()?).transpose()?, Some(19_999));
        assert_eq!((list.len(), list.get(19_999)?), (19_999, None));
        assert_eq!(TableList::new(&lua)?.pop()?, None);
        Ok(())
    }
}
