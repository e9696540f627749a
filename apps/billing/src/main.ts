import { runService } from '@kontor/service-kit';
import { billingService } from './service.js';

await runService(billingService);
