import { runService } from '@kontor/service-kit';
import { offersService } from './index.js';

await runService(offersService);
