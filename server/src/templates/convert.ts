import { limits } from '../config.ts'
import { ownFieldKeys } from '../contacts/fields/fields.ts'
import { orThrow, refuse } from '../core/errors.ts'
import { operation } from '../core/operation.ts'
import { Type } from '../lib/schema/schema.ts'
import { readBlocks } from './blocks/read.ts'
import type { Templates } from './compile.ts'
import { templateLimits } from './source.ts'

/** The mail that another program made, as blocks, which `template.save` and `campaign.save` take. */
export function templateConvert({ templates }: { templates: Templates }) {
  return operation({
    name: 'template.convert',
    title: 'Turn HTML into blocks',
    area: 'templates',
    summary:
      'HTML or MJML of another program (an export of Mailchimp, Klaviyo, Brevo) as blocks with our fields, for template.save or campaign.save. Saves nothing.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'viewer',
    tier: 'free',
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'POST /v1/templates/convert',
    bodyBytes: limits.contentBytes,
    input: {
      html: Type.Optional(Type.String()),
      mjml: Type.Optional(Type.String()),
    },
    output: Type.Object({
      subject: Type.Optional(Type.String()),
      preheader: Type.Optional(Type.String()),
      blocks: Type.Array(Type.Unsafe<object>({ type: 'object' })),
      converted_fields: Type.Array(Type.Object({ written: Type.String(), becomes: Type.String() })),
      unknown_fields: Type.Array(Type.String()),
      kept_as_html: Type.Integer(),
      removed: Type.Integer(),
      pictures_lost: Type.Integer(),
      blocks_lost: Type.Integer(),
    }),

    async run({ db, business, now }, { html, mjml }) {
      const source = readSource({ html, mjml })
      const ownFields = await ownFieldKeys(db, business.id)
      const converted = orThrow(
        await templates.convert(business.id, {
          source,
          isMjml: html === undefined,
          ownFields,
          year: now.getUTCFullYear(),
        }),
      )
      const { subject, preheader, fields, losses } = converted
      if (converted.blocks.length === 0) {
        const text = 'Nothing in it is text, a picture or a button: give the HTML of a whole mail.'
        throw refuse('invalid_request', text, {
          field: html === undefined ? 'mjml' : 'html',
          data: { reason: 'content_missing' },
        })
      }
      return {
        ...(subject !== '' && { subject }),
        ...(preheader !== '' && { preheader }),
        blocks: readBlocks(converted.blocks),
        converted_fields: fields.flatMap(({ written: spelled, becomes }) =>
          becomes === null ? [] : [{ written: spelled, becomes }],
        ),
        unknown_fields: fields.flatMap(({ written: spelled, becomes }) =>
          becomes === null ? [spelled] : [],
        ),
        kept_as_html: losses.keptAsHtml,
        removed: losses.removed,
        pictures_lost: losses.picturesLost,
        blocks_lost: losses.blocksLost,
      }
    },
  })
}

function readSource({
  html,
  mjml,
}: {
  html: string | undefined
  mjml: string | undefined
}): string {
  if (html !== undefined && mjml !== undefined) {
    throw refuse('invalid_request', 'html and mjml are both there: give one of them.', {
      field: 'mjml',
      data: { reason: 'one_of' },
    })
  }
  const source = html ?? mjml ?? ''
  const field = mjml === undefined ? 'html' : 'mjml'
  if (source.trim() === '') {
    throw refuse('invalid_request', `${field} is missing: the mail to convert.`, {
      field,
      data: { reason: 'content_missing' },
    })
  }
  const limit = templateLimits.bodyLength
  if (source.length > limit) {
    throw refuse('invalid_request', `${field} takes at most ${limit} characters.`, {
      field,
      data: { reason: 'too_long', limit },
    })
  }
  return source
}
