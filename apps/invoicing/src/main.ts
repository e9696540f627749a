import { runService } from '@kontor/service-kit';
import { invoicingService } from './index.js';

await runService(invoicingService);
