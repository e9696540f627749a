import { runService } from '@kontor/service-kit';
import { identityService } from './service.js';

await runService(identityService);
