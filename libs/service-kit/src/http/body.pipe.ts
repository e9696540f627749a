import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { isDto } from '../dto/describe-dto.js';
import { readDtoInTurns } from '../dto/read-dto.js';

/** Checks every `@Body() dto: SomeDto`; other parameters and bodies without a DTO class pass as they are. */
export class BodyPipe implements PipeTransform {
  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    if (metadata.type !== 'body' || metadata.data !== undefined || !isDto(metadata.metatype)) return value;
    // No body is an empty one; `null` is a body that is no object.
    return readDtoInTurns(metadata.metatype as new () => object, value === undefined ? {} : value);
  }
}
