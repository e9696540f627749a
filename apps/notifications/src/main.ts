import { runService } from '@kontor/service-kit';
import { notificationsService } from './index.js';

await runService(notificationsService);
