# The API keys of an account as configuration of Terraform (1.4 or later) or OpenTofu. Needs Node.js; no provider is downloaded.
#
#   export TAPELINE_URL=https://api.example.com TAPELINE_SERVICE_KEY=tl_svc_…   # scopes keys:read and keys:write
#   terraform init && terraform apply -var-file=keys.tfvars.json
#
# Each change of `keys` puts every key by its external id and revokes those with the tag that are no longer listed;
# `terraform destroy` revokes all of them. The secret of a new key is returned once; it is appended to secrets.ndjson, which
# only its owner can read. Move it to a secret store.

terraform {
  required_version = ">= 1.4"
}

variable "keys" {
  description = "Keys by external id."
  type = map(object({
    name     = string
    scopes   = list(string)
    networks = optional(list(string), [])
  }))
}

variable "tag" {
  description = "Tag of the keys that this configuration manages."
  type        = string
  default     = "terraform"
}

locals {
  script = abspath("${path.module}/../apply-keys.mjs")
  keys   = jsonencode([
    for external_id, key in var.keys : merge(key, { external_id = external_id, tags = [var.tag] })
  ])
}

# Destroying this resource revokes all keys with the tag.
resource "terraform_data" "account" {
  input = { script = local.script, tag = var.tag }

  provisioner "local-exec" {
    when        = destroy
    command     = "printf '[]' > keys.json && node \"$SCRIPT\" keys.json \"$TAG\""
    environment = { SCRIPT = self.input.script, TAG = self.input.tag }
  }
}

resource "terraform_data" "keys" {
  depends_on       = [terraform_data.account]
  triggers_replace = [local.keys]

  provisioner "local-exec" {
    command     = "umask 077 && printf '%s' \"$KEYS\" > keys.json && node \"$SCRIPT\" keys.json \"$TAG\" >> secrets.ndjson"
    environment = { SCRIPT = local.script, TAG = var.tag, KEYS = local.keys }
  }
}
