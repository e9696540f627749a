import { Body, Controller, Delete, HttpCode, Post, Put } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, Operation } from '@kontor/service-kit';
import { positionSchema } from '../invoices/invoice.schema.js';
import { AddPosition } from './add-position.js';
import { NewPositionDto, PositionDto } from './draft.dto.js';
import { RemovePosition } from './remove-position.js';
import { ReplacePosition } from './replace-position.js';

const tag = 'Invoices';

/** The positions of drafts, one by one. */
@Controller()
export class PositionController {
  constructor(
    private readonly addPosition: AddPosition,
    private readonly replacePosition: ReplacePosition,
    private readonly removePosition: RemovePosition,
  ) {}

  @Post('invoices/:id/positions')
  @Operation({
    id: 'addInvoicePosition',
    summary: 'Add a position to a draft',
    tag,
    permission: 'invoice:write',
    success: 201,
    response: positionSchema,
  })
  add(@Caller() caller: Principal, @IdParam() id: string, @Body() dto: NewPositionDto) {
    return this.addPosition.execute(caller.tenantId, id, dto);
  }

  @Put('invoice-position-items/:id')
  @Operation({
    id: 'replaceInvoicePosition',
    summary: 'Replace a position of a draft, with its children',
    tag,
    permission: 'invoice:write',
    response: positionSchema,
  })
  replace(@Caller() caller: Principal, @IdParam() id: string, @Body() dto: PositionDto) {
    return this.replacePosition.execute(caller.tenantId, id, dto);
  }

  @Delete('invoice-position-items/:id')
  @HttpCode(204)
  @Operation({
    id: 'deleteInvoicePosition',
    summary: 'Remove a position of a draft, with its children',
    tag,
    permission: 'invoice:write',
    success: 204,
  })
  remove(@Caller() caller: Principal, @IdParam() id: string) {
    return this.removePosition.execute(caller.tenantId, id);
  }
}
