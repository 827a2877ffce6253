// SPDX-License-Identifier: BSD-3-Clause
// Arrow files and streams as a reader of others has them: of each file a line of JSON about its
// schema, then one for each row. Absent members are null there; an integer is "#" and its digits.
//
//   node read_arrow.cjs apache-arrow|polars|duckdb FILE...
'use strict';
const fs = require('fs');
const path = require('path');

const print = (row) => {
	const line = {};
	for (const [key, one] of Object.entries(row)) {
		if (one !== null && one !== undefined)
			line[key] = typeof one === 'bigint' || typeof one === 'number' ? '#' + one : one;
	}
	console.log(JSON.stringify(line));
};

const withArrow = (file) => {
	const arrow = require('apache-arrow');
	const table = arrow.tableFromIPC(fs.readFileSync(file));
	const fields = {};

	for (const field of table.schema.fields)
		fields[field.name] = [String(field.type), Object.fromEntries(field.metadata), field.nullable];
	console.log(JSON.stringify({ schema: fields, batches: table.batches.length,
				     metadata: Object.fromEntries(table.schema.metadata) }));
	for (const row of table)
		print(row.toJSON());
};

const withPolars = (file) => {
	const polars = require('nodejs-polars');
	const bytes = fs.readFileSync(file);
	const frame = bytes.subarray(0, 6).toString() === 'ARROW1' ? polars.readIPC(bytes) :
		polars.readIPCStream(bytes);

	console.log(JSON.stringify({ schema: frame.columns }));
	for (const row of frame.toRecords())
		print(row);
};

const withDuckDB = async (files) => {
	const duckdb = require('@duckdb/duckdb-wasm/dist/duckdb-node-blocking.cjs');
	const dist = path.dirname(require.resolve('@duckdb/duckdb-wasm/dist/duckdb-node-blocking.cjs'));
	const bundles = {};

	for (const kind of ['mvp', 'eh'])
		bundles[kind] = { mainModule: path.join(dist, `duckdb-${kind}.wasm`), mainWorker: '' };
	const database = await duckdb.createDuckDB(bundles, new duckdb.VoidLogger(), duckdb.NODE_RUNTIME);
	await database.instantiate(() => {});
	const connection = database.connect();

	files.forEach((file, n) => {
		connection.insertArrowFromIPCStream(fs.readFileSync(file), { name: `samples${n}`, create: true });
		const types = connection.query(`select column_name, column_type from (describe samples${n})`);
		const schema = {};

		for (const row of types)
			schema[row.column_name] = row.column_type;
		console.log(JSON.stringify({ schema }));
		for (const row of connection.query(`select * from samples${n}`))
			print(row.toJSON());
	});
};

const [reader, ...files] = process.argv.slice(2);
if (reader === 'duckdb')
	withDuckDB(files);
else
	files.forEach(reader === 'polars' ? withPolars : withArrow);
