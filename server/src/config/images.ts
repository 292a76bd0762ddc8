/** The limits of pictures that businesses upload for their mail. */
export const imageLimits = {
  /** Bytes of a picture as it arrives: photographs of phones fit. */
  uploadBytes: 10 * 1024 * 1024,
  /** Bytes of a call's JSON that contains one as base64, which takes a third more. */
  callBytes: 15 * 1024 * 1024,
  /**
   * Pixels of a picture, of all its frames together. A file of a few kB can declare billions, and
   * nothing is decoded beyond this.
   */
  pixels: 50_000_000,
  frames: 300,
  /** Pixels of a side that is kept: content of a mail is 600 wide, and sharp screens show twice that. */
  width: 1_200,
  height: 3_000,
  /** Bytes of a picture as it is stored. People load each one on their phones. */
  storedBytes: 4 * 1024 * 1024,
  /** Pictures of a business, and their bytes. */
  perBusiness: 2_000,
  bytesPerBusiness: 1024 * 1024 * 1024,
  /** Milliseconds after which the process that resizes a picture is ended. */
  resizeMs: 20_000,
  /** Pictures that wait for that process: of one business, and of all. */
  waiting: { each: 8, all: 32 },
  /** Milliseconds in which a picture has to arrive from an address. */
  fetchMs: 10_000,
  nameLength: 200,
  altLength: 500,
} as const
