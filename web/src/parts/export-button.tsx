/** Creates a link to a file that is valid for an hour, and lets the browser fetch it at once. */
import { useMutation } from '@tanstack/react-query'
import { useBusinessId, useMay } from '../api/businesses.ts'
import { api } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { problemOf } from '../ui/states.tsx'
import { tell, tellFailure } from '../ui/tell.ts'
import { exportWords } from '../words/imports.ts'

type Wanted = Omit<Parameters<typeof api.export.create>[0] & object, 'business_id' | 'format'>

export function ExportButton({ of, label = exportWords.button }: { of: Wanted; label?: string }) {
  const business_id = useBusinessId()
  const may = useMay('admin')
  const make = useMutation({
    mutationFn: () => api.export.create({ business_id, ...of }),
    onSuccess: ({ url, file_name }) => {
      // The response is an attachment, so the page stays.
      location.assign(url)
      tell(exportWords.begun(file_name))
    },
    onError: (error) => tellFailure(exportWords.failed, problemOf(error).message),
  })
  if (!may) return null
  return (
    <Button icon="download" busy={make.isPending} onClick={() => make.mutate()}>
      <span className="max-sm:sr-only">{label}</span>
    </Button>
  )
}
