/** Downloads content created on this device as a file. */
export function download(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser reads the file after the press was handled.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
