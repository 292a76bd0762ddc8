import { imageLimits } from '../config/images.ts'
import { operation } from '../core/operation.ts'
import { nextCursor, pageFrom, pageInput, pageOf } from '../core/paging.ts'
import { Type } from '../lib/schema/schema.ts'
import { imageFields, viewOf } from './image.ts'
import { listImages, usedBy } from './queries.ts'

export function imageList({ baseUrl }: { baseUrl: string }) {
  return operation({
    name: 'image.list',
    title: 'List pictures',
    area: 'templates',
    summary: 'The pictures of a business for its mail, newest first, and how much space is left.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'viewer',
    tier: 'free',
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'GET /v1/images',
    input: pageInput,
    output: Type.Object({
      images: Type.Array(Type.Object(imageFields)),
      used: Type.Object({ images: Type.Integer(), bytes: Type.Integer() }),
      most: Type.Object({ images: Type.Integer(), bytes: Type.Integer() }),
      next_cursor: nextCursor,
    }),

    async run({ db, business }, input) {
      const page = pageOf('image', input)
      const [rows, used] = await Promise.all([
        listImages(db, business.id, page),
        usedBy(db, business.id),
      ])
      const view = (row: (typeof rows)[number]) => viewOf(baseUrl, row)
      const { shown, next } = pageFrom('image', rows, page, view)
      const limits = { images: imageLimits.perBusiness, bytes: imageLimits.bytesPerBusiness }
      return { images: shown.map(view), used, most: limits, ...next }
    },
  })
}
