export { ProjectMenu } from './project-menu.tsx'
