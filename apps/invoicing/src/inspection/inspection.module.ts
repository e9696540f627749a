import { Module } from '@nestjs/common';
import { InspectionController } from './inspection.controller.js';

/** What others' e-invoices are. */
@Module({ controllers: [InspectionController] })
export class InspectionModule {}
