import { runService } from '@kontor/service-kit';
import { webhooksService } from './index.js';

await runService(webhooksService);
