/** Sends a file to `import.create` and reports the progress, which fetch cannot report. */
import { CrierError } from '@crier-mail/sdk/session'
import type { api } from '../../api/client.ts'

type Created = Awaited<ReturnType<typeof api.import.create>>

export type Kind = Created['kind']

export interface Upload {
  done: Promise<Created>
  cancel: () => void
}

export function uploadFile(
  business_id: string,
  { file, kind }: { file: File; kind: Kind },
  onProgress: (share: number) => void,
): Upload {
  const request = new XMLHttpRequest()
  const done = new Promise<Created>((resolve, reject) => {
    const query = new URLSearchParams({
      business_id,
      kind,
      file_name: file.name.slice(0, 200),
    })
    request.open('POST', `/v1/imports?${query}`)
    // Systems name the type of a CSV file differently, or not at all.
    request.setRequestHeader('content-type', 'text/csv')
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve(request.response as Created)
      else reject(refusalOf(request))
    }
    const lost = () => reject(new CrierError({ code: 'network', message: '', status: 0 }))
    request.onerror = lost
    request.ontimeout = lost
    request.onabort = lost
    request.send(file)
  })
  return { done, cancel: () => request.abort() }
}

function refusalOf({ response, status }: XMLHttpRequest): CrierError {
  const body = (response ?? {}) as {
    code?: string
    message?: string
    field?: string
    request_id?: string
  }
  return new CrierError({
    code: body.code ?? 'internal',
    message: body.message ?? '',
    status,
    ...(body.field !== undefined && { field: body.field }),
    ...(body.request_id !== undefined && { requestId: body.request_id }),
  })
}
