curl -s "$TAPELINE_URL/api/v1/internal/user/login" \
  -H 'Content-Type: application/json' \
  -d '{"email":"'"$TAPELINE_EMAIL"'","password":"'"$TAPELINE_PASSWORD"'"}'
