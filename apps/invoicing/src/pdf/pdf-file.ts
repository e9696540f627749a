import { createHash } from 'node:crypto';
import { PDFContext, PDFHexString, type PDFObject, PDFRawStream, PDFRef, PDFString } from 'pdf-lib';
import { type Canvas, LOGO, PAGE } from './canvas.js';
import { embedFile } from './embed-file.js';
import type { Layout } from './flow.js';
import type { Logo } from './logo.js';
import { pack } from './pack.js';
import { readPng } from './read-png.js';
import { srgbProfile } from './srgb-profile.js';
import { fontBytes, fontOfKey } from './typeface.js';
import { writeFile } from './write-file.js';
import { writeTags } from './write-tags.js';
import { WrittenObject } from './written-object.js';
import { type EmbeddedXml, xmpOf } from './xmp.js';

export interface PdfContents {
  readonly layout: Layout;
  readonly title: string;
  readonly author: string;
  readonly language: string;
  /** Day of the document `YYYY-MM-DD`: the only date in the file, so the same document is the same bytes. */
  readonly day: string;
  /** What `Canvas.logo` shows. */
  readonly logo?: Logo | null;
  /** The same document for machines, which goes along inside the file. */
  readonly xml: EmbeddedXml | null;
}

/** Owns the objects that all documents of this thread share; they are written, never changed. */
const shared = PDFContext.create();

interface FontSet {
  readonly refs: Readonly<Record<string, PDFRef>>;
  readonly objects: readonly (readonly [PDFRef, PDFObject])[];
}
const fontSets = new Map<string, FontSet>();

/**
 * The font objects for a set of resource names, always under the object numbers 1 to 5n: made once, shared by all
 * documents.
 */
function fontSetOf(keys: readonly string[]): FontSet {
  const name = keys.join();
  const known = fontSets.get(name);
  if (known) return known;
  const refs: Record<string, PDFRef> = {};
  const objects: [PDFRef, PDFObject][] = [];
  keys.forEach((key, index) => {
    const refOf = (offset: number): PDFRef => PDFRef.of(index * 5 + offset);
    const [type0, cidFont, descriptor, file, toUnicode] = [refOf(1), refOf(2), refOf(3), refOf(4), refOf(5)];
    const font = fontOfKey(key);
    const bytes = fontBytes(font);
    // A subset's name starts with six letters of its own (ISO 32000-1, 9.6.4); here they name the tier.
    const baseFont = `KONT${key.startsWith('R') ? 'R' : 'S'}${'ABC'[Number(key.slice(1))] ?? 'A'}+${font.name}`;
    refs[key] = type0;
    objects.push(
      [
        type0,
        shared.obj({
          Type: 'Font',
          Subtype: 'Type0',
          BaseFont: baseFont,
          Encoding: 'Identity-H',
          DescendantFonts: [cidFont],
          ToUnicode: toUnicode,
        }),
      ],
      [
        cidFont,
        shared.obj({
          Type: 'Font',
          Subtype: 'CIDFontType2',
          BaseFont: baseFont,
          CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Identity'), Supplement: 0 },
          FontDescriptor: descriptor,
          CIDToGIDMap: 'Identity',
          DW: 1000,
          W: [0, [...font.widths]],
        }),
      ],
      [
        descriptor,
        shared.obj({
          Type: 'FontDescriptor',
          FontName: baseFont,
          Flags: 4,
          FontBBox: [...font.bbox],
          ItalicAngle: 0,
          Ascent: font.ascent,
          Descent: font.descent,
          CapHeight: font.capHeight,
          StemV: key.startsWith('R') ? 80 : 120,
          FontFile2: file,
        }),
      ],
      [
        file,
        PDFRawStream.of(
          shared.obj({ Length: bytes.file.length, Length1: font.length, Filter: 'FlateDecode' }),
          bytes.file,
        ),
      ],
      [
        toUnicode,
        PDFRawStream.of(shared.obj({ Length: bytes.toUnicode.length, Filter: 'FlateDecode' }), bytes.toUnicode),
      ],
    );
  });
  const set = { refs, objects: objects.map(([ref, object]) => [ref, WrittenObject.of(object)] as const) };
  fontSets.set(name, set);
  return set;
}

const PRODUCER = 'Kontor';
let profile: Uint8Array | undefined;

/** What its colours mean. */
function outputIntent(context: PDFContext): PDFObject {
  profile ??= pack(srgbProfile());
  const dictionary = context.obj({ N: 3, Length: profile.length, Filter: 'FlateDecode' });
  const stream = context.register(PDFRawStream.of(dictionary, profile));
  return context.obj([
    {
      Type: 'OutputIntent',
      S: 'GTS_PDFA1',
      OutputConditionIdentifier: PDFString.of('sRGB'),
      RegistryName: PDFString.of('http://www.color.org'),
      Info: PDFString.of('sRGB IEC61966-2.1'),
      DestOutputProfile: stream,
    },
  ]);
}

/** The entries of the catalogue by which readers find the XML. */
function attachment(context: PDFContext, xml: EmbeddedXml, instant: PDFString) {
  const file = embedFile(context, xml, instant);
  return { AF: [file], Names: { EmbeddedFiles: { Names: [PDFString.of(xml.fileName), file] } } };
}

/** The pictures of a page; null: it has none. */
async function picturesOf(context: PDFContext, { pictures }: Canvas): Promise<Record<string, PDFRef> | null> {
  if (pictures.size === 0) return null;
  const refs: Record<string, PDFRef> = {};
  for (const [name, png] of pictures)
    refs[name] = await (await readPng(png)).embedIntoContext(context, context.nextRef());
  return refs;
}

/** The finished file, PDF/A-3b. Equal contents give equal bytes. @see ISO 19005-3 */
export async function writePdf(contents: PdfContents): Promise<Uint8Array> {
  const context = PDFContext.create();
  const { pages, document } = contents.layout;
  const keys = [...new Set(pages.flatMap((page) => [...page.fonts]))].sort();
  const fonts = fontSetOf(keys);
  const shown = (await contents.logo?.objectsFrom(fonts.objects.length + 1)) ?? [];
  for (const [ref, object] of [...fonts.objects, ...shown]) context.assign(ref, object);
  const logo = shown[0] && { [LOGO]: shown[0][0] };

  const plain = context.register(context.obj({ Font: fonts.refs, ...(logo && { XObject: logo }) }));
  const tree = context.nextRef();
  const digest = createHash('sha256').update(contents.title);
  const pictures = await Promise.all(pages.map((page) => picturesOf(context, page)));
  const kids = pages.map((page, n) => {
    const pagePictures = pictures[n];
    const XObject = { ...pagePictures, ...logo };
    const resources = pagePictures ? context.register(context.obj({ Font: fonts.refs, XObject })) : plain;
    const operators = Buffer.from(page.content(), 'latin1');
    digest.update(operators);
    const bytes = pack(operators);
    const stream = context.register(
      PDFRawStream.of(context.obj({ Length: bytes.length, Filter: 'FlateDecode' }), bytes),
    );
    return context.register(
      context.obj({
        Type: 'Page',
        Parent: tree,
        MediaBox: [0, 0, PAGE.width, PAGE.height],
        Resources: resources,
        StructParents: n,
        Contents: stream,
      }),
    );
  });
  context.assign(tree, context.obj({ Type: 'Pages', Kids: kids, Count: kids.length }));
  const { title, author, day, xml } = contents;
  const instant = PDFString.of(`D:${day.replaceAll('-', '')}000000Z`);
  const xmp = Buffer.from(xmpOf({ title, author, producer: PRODUCER, instant: `${day}T00:00:00Z`, xml }));
  const metadata = context.register(
    PDFRawStream.of(context.obj({ Type: 'Metadata', Subtype: 'XML', Length: xmp.length }), xmp),
  );
  if (xml) digest.update(xml.bytes);
  context.trailerInfo.Root = context.register(
    context.obj({
      Type: 'Catalog',
      Pages: tree,
      Lang: PDFString.of(contents.language),
      ViewerPreferences: { DisplayDocTitle: true },
      Metadata: metadata,
      MarkInfo: { Marked: true },
      StructTreeRoot: writeTags(
        context,
        document,
        kids.map((ref, n) => ({ ref, marks: pages[n]?.marks ?? [] })),
      ),
      OutputIntents: outputIntent(context),
      ...(xml && attachment(context, xml, instant)),
    }),
  );
  context.trailerInfo.Info = context.register(
    context.obj({
      Title: PDFHexString.fromText(title),
      ...(author && { Author: PDFHexString.fromText(author) }),
      Producer: PDFString.of(PRODUCER),
      CreationDate: instant,
      ModDate: instant,
    }),
  );
  const id = PDFHexString.of(digest.digest('hex').slice(0, 32));
  context.trailerInfo.ID = context.obj([id, id]);
  return writeFile(context);
}
