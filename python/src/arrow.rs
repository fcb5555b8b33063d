//! Rows of a table for other libraries, by Arrow's C data interface: pyarrow, Polars, DuckDB and
//! pandas use the memory directly. The interface consists of two structures with fixed members and
//! ownership rules (arrow.apache.org/docs/format/CDataInterface.html).

use std::ffi::{CString, c_char, c_void};
use std::ptr::{null, null_mut};
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use vaultwright::stats::{Column, ColumnKind};

type Columns = &'static [(&'static str, ColumnKind)];

/// Rows of a table, column by column.
#[pyclass(frozen)]
pub struct ArrowBatch {
    kinds: Columns,
    columns: Arc<Vec<Column>>,
    rows: usize,
}

impl ArrowBatch {
    pub fn new(kinds: Columns, columns: Vec<Column>, rows: usize) -> ArrowBatch {
        ArrowBatch { kinds, columns: Arc::new(columns), rows }
    }
}

#[pymethods]
impl ArrowBatch {
    fn __len__(&self) -> usize {
        self.rows
    }

    /// Returns the names of the columns.
    fn column_names(&self) -> Vec<&'static str> {
        self.kinds.iter().map(|(name, _)| *name).collect()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        PyCapsule::new_with_value(py, Schema::of(self.kinds), c"arrow_schema")
    }

    /// Returns schema and rows. A requested schema is ignored.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        drop(requested_schema);
        let array = Array::of(&self.columns, self.rows);
        Ok((self.__arrow_c_schema__(py)?, PyCapsule::new_with_value(py, array, c"arrow_array")?))
    }
}

/// `ArrowSchema`.
#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private_data: *mut c_void,
}

/// `ArrowArray`.
#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private_data: *mut c_void,
}

/// What a schema owns.
struct SchemaOwner {
    name: CString,
    children: Vec<*mut Schema>,
}

/// What an array owns.
struct ArrayOwner {
    _columns: Arc<Vec<Column>>,
    buffers: Vec<*const c_void>,
    children: Vec<*mut Array>,
}

// SAFETY: all that the pointers lead to is owned by the structure and changed by nobody.
unsafe impl Send for Schema {}
// SAFETY: as above; the columns are shared, and only read.
unsafe impl Send for Array {}

impl Schema {
    /// Returns the schema of a table: a structure of its columns, which have no missing values.
    fn of(columns: Columns) -> Schema {
        let column = |(name, kind): &(&str, ColumnKind)| {
            let format = match kind {
                ColumnKind::Text => c"u",
                ColumnKind::Number => c"i",
                ColumnKind::Seed => c"L",
                ColumnKind::Long => c"l",
                ColumnKind::Flag => c"b",
            };
            Box::into_raw(Box::new(Schema::new(format.as_ptr(), name, Vec::new())))
        };
        Schema::new(c"+s".as_ptr(), "", columns.iter().map(column).collect())
    }

    /// Creates a schema. `format` must live forever.
    fn new(format: *const c_char, name: &str, children: Vec<*mut Schema>) -> Schema {
        // Column names contain no zero bytes.
        let name = CString::new(name).unwrap_or_default();
        let mut owner = Box::new(SchemaOwner { name, children });
        Schema {
            format,
            name: owner.name.as_ptr(),
            metadata: null(),
            flags: 0,
            n_children: owner.children.len() as i64,
            children: owner.children.as_mut_ptr(),
            dictionary: null_mut(),
            release: Some(release_schema),
            private_data: Box::into_raw(owner).cast(),
        }
    }
}

impl Array {
    fn of(columns: &Arc<Vec<Column>>, rows: usize) -> Array {
        let column = |column: &Column| {
            let buffers = match column {
                Column::Text(ends, bytes) => {
                    vec![null(), ends.as_ptr().cast(), bytes.as_ptr().cast()]
                }
                Column::Number(values) => vec![null(), values.as_ptr().cast()],
                Column::Long(values) => vec![null(), values.as_ptr().cast()],
                Column::Flag(bits, _) => vec![null(), bits.as_ptr().cast()],
            };
            Box::into_raw(Box::new(Array::new(columns, rows, buffers, Vec::new())))
        };
        Array::new(columns, rows, vec![null()], columns.iter().map(column).collect())
    }

    /// Creates an array. `buffers` point into `columns`.
    fn new(
        columns: &Arc<Vec<Column>>,
        rows: usize,
        buffers: Vec<*const c_void>,
        children: Vec<*mut Array>,
    ) -> Array {
        let mut owner = Box::new(ArrayOwner { _columns: Arc::clone(columns), buffers, children });
        Array {
            length: rows as i64,
            null_count: 0,
            offset: 0,
            n_buffers: owner.buffers.len() as i64,
            n_children: owner.children.len() as i64,
            buffers: owner.buffers.as_mut_ptr(),
            children: owner.children.as_mut_ptr(),
            dictionary: null_mut(),
            release: Some(release_array),
            private_data: Box::into_raw(owner).cast(),
        }
    }
}

/// Frees what a schema owns.
///
/// # Safety
///
/// `schema` is one of [`Schema::new`] that has not been released, or a copy of its bytes.
unsafe extern "C" fn release_schema(schema: *mut Schema) {
    // SAFETY: the caller's promise; `private_data` is the box that `new` has made, and each child a
    // box of `of`, which a consumer may have moved elsewhere and marked as released here.
    unsafe {
        let owner = Box::from_raw((*schema).private_data.cast::<SchemaOwner>());
        owner.children.iter().for_each(|&child| drop(Box::from_raw(child)));
        (*schema).release = None;
    }
}

/// Frees what an array owns.
///
/// # Safety
///
/// `array` is one of [`Array::new`] that has not been released, or a copy of its bytes.
unsafe extern "C" fn release_array(array: *mut Array) {
    // SAFETY: as in `release_schema`.
    unsafe {
        let owner = Box::from_raw((*array).private_data.cast::<ArrayOwner>());
        owner.children.iter().for_each(|&child| drop(Box::from_raw(child)));
        (*array).release = None;
    }
}

impl Drop for Schema {
    /// Releases it, unless a consumer has moved it away.
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: it has not been released.
            unsafe { release(self) };
        }
    }
}

impl Drop for Array {
    /// Releases it, unless a consumer has moved it away.
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: it has not been released.
            unsafe { release(self) };
        }
    }
}
