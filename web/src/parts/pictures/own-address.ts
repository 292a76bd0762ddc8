/** The public address below which the service serves pictures, as the page of the app names it. */
const named = document.querySelector<HTMLMetaElement>('meta[name="pictures"]')?.content

export const picturesAt = named ?? `${location.origin}/images/`

export const isOwnPicture = (address: string) => address.startsWith(picturesAt)
