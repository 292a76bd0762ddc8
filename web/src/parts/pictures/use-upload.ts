/** Uploads a picture that was dropped, pasted or chosen. */
import { CrierError } from '@crier-mail/sdk/session'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useBusinessId } from '../../api/businesses.ts'
import type { api } from '../../api/client.ts'
import { blockWords } from '../../words/blocks.ts'

export type Picture = Awaited<ReturnType<typeof api.image.list>>['images'][number]

const largest = 10 * 1024 * 1024

export const pictureTypes = 'image/png,image/jpeg,image/gif,image/webp'

export function usePictureUpload(onStored: (picture: Picture) => void) {
  const business_id = useBusinessId()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (file: File) => send(business_id, file),
    onSuccess: (picture) => {
      onStored(picture)
      void client.invalidateQueries({ queryKey: ['image.list'] })
    },
  })
}

/** The first picture of what was dropped or pasted. */
export const pictureIn = (data: DataTransfer | null): File | undefined =>
  [...(data?.files ?? [])].find(({ type }) => type.startsWith('image/'))

async function send(business_id: string, file: File): Promise<Picture> {
  if (file.size > largest) {
    throw new CrierError({ code: 'too_large', message: blockWords.pictures.tooLarge })
  }
  const query = new URLSearchParams({ business_id, file_name: file.name.slice(0, 200) })
  const type = pictureTypes.split(',').includes(file.type) ? file.type : 'application/octet-stream'
  let response: Response
  try {
    response = await fetch(`/v1/images?${query}`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: file,
    })
  } catch {
    throw new CrierError({ code: 'network', message: '', status: 0 })
  }
  if (response.ok) return (await response.json()) as Picture
  const told = (await response.json().catch(() => ({}))) as Partial<Record<string, string>>
  const { code = 'internal', message = '', field, request_id } = told
  const { status } = response
  throw new CrierError({
    code,
    message: code === 'unsupported_media_type' ? blockWords.pictures.wrongKind : message,
    status,
    ...(field !== undefined && { field }),
    ...(request_id !== undefined && { requestId: request_id }),
  })
}
