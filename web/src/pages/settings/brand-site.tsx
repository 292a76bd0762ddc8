/** What the business's own site suggests, for a person to choose from. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Input, Select } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Failure } from '../../ui/states.tsx'
import { brandWords } from '../../words/brand.ts'
import type { BrandProps } from './brand-model.ts'

type Picture = { image_id: string; url: string }

export function FromSite({
  brand,
  change,
  onLogo,
}: Pick<BrandProps, 'brand' | 'change'> & { onLogo: (picture: Picture) => void }) {
  const { site, colours: names } = brandWords
  const business_id = useBusinessId()
  const [url, setUrl] = useState('')
  const read = useMutation({ mutationFn: () => api.brand.read_site({ business_id, url }) })
  const take = useMutation({
    mutationFn: (address: string) => api.image.upload({ business_id, url: address }),
    onSuccess: onLogo,
  })
  const found = read.data
  const use = (name: string, value: string) => {
    if (name === '') return
    const others = brand.colours.filter((colour) => colour.name !== name)
    change({ colours: [...others, { name, value }] })
  }
  return (
    <Card title={site.title}>
      <div className="grid gap-4">
        <p className="text-muted">{site.about}</p>
        <div className="flex flex-wrap items-end gap-2">
          <div className="min-w-0 flex-1 basis-56">
            <Input
              label={site.url}
              value={url}
              placeholder="https://example.com"
              onChange={({ target }) => setUrl(target.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                event.preventDefault()
                if (url !== '') read.mutate()
              }}
            />
          </div>
          <Button busy={read.isPending} disabled={url === ''} onClick={() => read.mutate()}>
            {site.read}
          </Button>
        </div>
        {(read.error ?? take.error) && <Failure error={read.error ?? take.error} />}
        {read.data?.problem && <p className="text-warn">{read.data.problem}</p>}
        {found && (
          <div className="grid gap-4" aria-live="polite">
            {found.name !== null && (
              <p>
                {site.found} <bdi className="font-medium">{found.name}</bdi>
              </p>
            )}
            <div className="grid gap-2 sm:grid-cols-2">
              {found.colours.map((colour) => (
                <div key={colour} className="flex min-w-0 items-center gap-2">
                  <span
                    aria-hidden
                    className="size-8 shrink-0 rounded-md border border-line"
                    style={{ backgroundColor: colour }}
                  />
                  <Select
                    hidden
                    label={site.use(colour)}
                    options={[['', colour], ...Object.entries(names.names)]}
                    value={brand.colours.find(({ value }) => value === colour)?.name ?? ''}
                    onChange={({ target }) => use(target.value, colour)}
                  />
                </div>
              ))}
            </div>
            <ul className="grid gap-2">
              {found.pictures.map((picture) => (
                <li key={picture.url} className="flex flex-wrap items-center gap-2">
                  <span className="min-w-0 flex-1 basis-40 truncate text-muted" title={picture.url}>
                    <bdi>{picture.url}</bdi>
                  </span>
                  <Button busy={take.isPending} onClick={() => take.mutate(picture.url)}>
                    {site.asLogo}
                  </Button>
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </Card>
  )
}
