/** The used part of sharp. Its own types describe every format that it knows. */
declare module 'sharp' {
  interface Metadata {
    format?: string
    width?: number
    height?: number
    pageHeight?: number
    pages?: number
    hasAlpha?: boolean
  }
  interface Options {
    failOn: 'error'
    limitInputPixels: number
    animated: boolean
    sequentialRead: boolean
  }
  interface Sharp {
    metadata(): Promise<Metadata>
    autoOrient(): Sharp
    resize(size: {
      width: number
      height: number
      fit: 'inside'
      withoutEnlargement: boolean
    }): Sharp
    png(options: { compressionLevel: number; palette: boolean }): Sharp
    jpeg(options: { quality: number; mozjpeg: boolean }): Sharp
    gif(options: { effort: number }): Sharp
    toBuffer(options: {
      resolveWithObject: true
    }): Promise<{ data: Buffer; info: { width: number; height: number; pageHeight?: number } }>
  }
  interface Operations {
    operation: string[]
  }
  const sharp: {
    (input: Buffer, options: Options): Sharp
    cache(on: boolean): void
    concurrency(threads: number): void
    block(operations: Operations): void
    unblock(operations: Operations): void
  }
  export = sharp
}
