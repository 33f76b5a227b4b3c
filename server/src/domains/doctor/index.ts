/* Statements that count inconsistencies of a database, for `cairn doctor`. */

export { createDoctorStore } from './store.ts'
