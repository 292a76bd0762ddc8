import { refuse } from '../core/errors.ts'
import { parseId } from '../core/ids.ts'
import { type Locate, operation } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import { enqueue } from '../lib/jobs/job.ts'
import { Type } from '../lib/schema/schema.ts'
import { days, later } from '../lib/time/clock.ts'
import { imageIdInput, noSuchImage } from './image.ts'
import { removeFileJob } from './jobs.ts'
import { deleteImage, findOwner, forgetDeleted, isInBrand, lockImage } from './queries.ts'

/** For how long deleting it again answers that it is deleted, rather than that it never existed. */
const keptFor = days(1)

/** Finds the business that has the picture `img_…`. */
const byImage: Locate = async (db, businesses, text) => {
  const id = parseId('image', text)
  return id && (await findOwner(db, businesses, id))?.businessId
}

export const imageDelete = operation({
  name: 'image.delete',
  title: 'Delete a picture',
  area: 'templates',
  summary:
    'Permanently delete a picture: mail sent with it shows a gap there, except where a mailbox has cached it. Refused while the brand shows it.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'DELETE /v1/images/:image_id',
  input: { image_id: imageIdInput },
  locate: { image_id: byImage },
  output: Type.Object({ image_id: Type.String(), deleted: Type.Boolean() }),

  async run({ business, now, origin, write }, { image_id }) {
    const id = parseId('image', image_id)
    if (!id) throw noSuchImage(image_id)
    return write(async (tx) => {
      await forgetDeleted(tx, business.id, later(now, -keptFor))
      const image = await lockImage(tx, business.id, id)
      if (!image) throw noSuchImage(image_id)
      if (!image.isDeleted) {
        if (await isInBrand(tx, business.id, image.file)) throw inBrand(image_id)
        await deleteImage(tx, business.id, id, now)
        const entry = { businessId: business.id, action: 'image.delete', subject: image_id, origin }
        await recordAudit(tx, [entry], now)
        await enqueue(tx, [removeFileJob(business.id, image)], now)
      }
      return { image_id, deleted: true }
    })
  },
})

function inBrand(imageId: string) {
  const text = `The brand shows ${imageId}: an owner takes it out of the logo, header or footer there first.`
  return refuse('conflict', text, {
    field: 'image_id',
    fix: { tool: 'brand.get', arguments: {} },
    data: { reason: 'picture_in_brand' },
  })
}
