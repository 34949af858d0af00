export function ProfilePage() {
  return <div className="pagebar" />
}
