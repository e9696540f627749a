export { type RunningSystem, startSystem } from './start-system.js';
