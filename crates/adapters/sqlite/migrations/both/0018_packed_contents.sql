-- Bodies and contents may be packed from here on; those that are there stay as they are. A content is packed
-- if it begins like one. Those that only look so are packed, so that they are read as what they are.
UPDATE contents SET bytes = packed(bytes)
WHERE SUBSTR(bytes, 1, 4) = X'28B52FFD' AND unpacked(bytes) IS NULL;
