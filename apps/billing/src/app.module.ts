import { Module } from '@nestjs/common';
import { CoreModule } from './core.module.js';

@Module({ imports: [CoreModule] })
export class BillingModule {}
