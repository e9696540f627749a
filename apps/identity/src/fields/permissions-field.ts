import { FieldCheck, isPermission, PERMISSIONS, RequiredField } from '@kontor/service-kit';
import { applyDecorators } from '@nestjs/common';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsString } from 'class-validator';

/** A list of permissions, as API keys and roles have one. */
export const PermissionsField = (): PropertyDecorator =>
  applyDecorators(
    RequiredField(),
    IsArray(),
    ArrayMinSize(1),
    ArrayMaxSize(100),
    IsString({ each: true }),
    FieldCheck(
      {
        code: 'unknown_permission',
        message: 'must be permissions such as customer:read, or *',
        types: ['string'],
        schema: { enum: [...PERMISSIONS, '*'] },
        holds: isPermission,
      },
      { each: true },
    ),
  );
