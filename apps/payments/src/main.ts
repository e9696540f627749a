import { runService } from '@kontor/service-kit';
import { paymentsService } from './index.js';

await runService(paymentsService);
