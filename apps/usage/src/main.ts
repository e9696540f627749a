import { runService } from '@kontor/service-kit';
import { usageService } from './index.js';

await runService(usageService);
