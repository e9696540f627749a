import { Describe, Nested, OptionalField, RequiredField, Uuid } from '@kontor/service-kit';
import { IsString, Length } from 'class-validator';

/** Body of `PUT /templates/{kind}/{language}`: texts of a document, or subject and body of a mail. */
export class TemplateDto {
  @OptionalField() @IsString() @Length(1, 500) @Describe('Of a document; Liquid, as all texts are.') title?:
    string | null;
  @OptionalField() @IsString() @Length(0, 5000) @Describe('Of a document; an empty one is left out.') introduction?:
    string | null;
  @OptionalField() @IsString() @Length(0, 5000) @Describe('Of a document; an empty one is left out.') closing?:
    string | null;
  @OptionalField() @IsString() @Length(1, 500) @Describe('Of a mail.') subject?: string | null;
  @OptionalField() @IsString() @Length(1, 10_000) @Describe('Of a mail; plain text.') body?: string | null;
}

/** Body of `POST /templates/{kind}/{language}/preview`. */
export class PreviewTemplateDto {
  @RequiredField() @Uuid() @Describe('A document of that kind, or the one that the mail is about.') invoice!: string;

  @OptionalField()
  @Nested(() => TemplateDto)
  @Describe('Unless given, the one that is stored.')
  template?: TemplateDto | null;
}
