export { createDoctorStore } from './store.ts'
