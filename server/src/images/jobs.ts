/** Removes the files of deleted pictures. */

import type { Id } from '../core/ids.ts'
import type { Files } from '../files/files.ts'
import type { Db } from '../lib/db/types.ts'
import type { JobKinds, NewJob } from '../lib/jobs/job.ts'
import { type Image, pathOf } from './image.ts'
import { filesOf } from './queries.ts'

const kind = 'image.remove-file'

type ImageFile = Pick<Image, 'file' | 'kind'>

export function removeFileJob(businessId: Id<'business'>, image: ImageFile): NewJob {
  const payload = { business_id: businessId, file: image.file, kind: image.kind }
  return { kind, businessId, payload }
}

export function imageJobs({ files }: { files: Files }): JobKinds {
  return {
    [kind]: {
      async run({ payload }) {
        const image = payload as ImageFile
        await files.remove(pathOf(image.file, image.kind))
      },
    },
  }
}

/** Returns a function that removes the files, to be called when the businesses are gone. */
export async function filesToRemove(
  db: Db,
  files: Files,
  businesses: readonly Id<'business'>[],
): Promise<() => Promise<void>> {
  const images = await filesOf(db, businesses)
  return async () => {
    for (const image of images) await files.remove(pathOf(image.file, image.kind))
  }
}
